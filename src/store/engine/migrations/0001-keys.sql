-- API keys, the signatures already used inside the replay window, and the token buckets that several processes share.

create table api_keys (
  id text primary key,
  name text not null,
  secret_box {bytes} not null,
  passphrase_hash {bytes} not null,
  created_ms {int} not null,
  revoked_ms {int}
);

create table used_signatures (
  signature {bytes} primary key,
  expires_ms {int} not null
);

create index used_signatures_expires on used_signatures (expires_ms);

create table rate_buckets (
  name text primary key,
  tokens double precision not null,
  at_ms {int} not null,
  version {int} not null
);
