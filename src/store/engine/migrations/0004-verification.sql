-- Contract verification: jobs with leases, what they went through, and what they proved. None of it is of the index: a reorg
-- or a resync leaves it, and what was proved holds for the code with this hash, wherever the chain goes.

create table verification_jobs (
  guid text primary key,
  kind {int} not null,
  address {bytes} not null,
  payload_hash {bytes} not null,
  payload text not null,
  state {int} not null,
  stage text not null,
  attempts {int} not null,
  owner text,
  lease_until_ms {int} not null,
  created_ms {int} not null,
  ended_ms {int},
  outcome text
);
create unique index verification_jobs_in_flight on verification_jobs (payload_hash) where state < 2;
create index verification_jobs_open on verification_jobs (created_ms, guid) where state < 2;
create index verification_jobs_running on verification_jobs (address) where state = 1;
create index verification_jobs_ended on verification_jobs (ended_ms) where ended_ms is not null;

create table verification_stages (
  guid text not null,
  number {int} not null,
  stage text not null,
  at_ms {int} not null,
  primary key (guid, number)
) {clustered};

create table verified_contracts (
  address {bytes} primary key,
  code_hash {bytes} not null,
  rank {int} not null,
  name text not null,
  language text not null,
  compiler text not null,
  verified_ms {int} not null,
  guid text not null,
  detail text not null
);
create index verified_contracts_code on verified_contracts (code_hash, rank);

-- What selectors, topics and error selectors may mean, from verified ABIs.
create table signatures (
  kind {int} not null,
  selector {bytes} not null,
  text text not null,
  primary key (kind, selector, text)
) {clustered};
