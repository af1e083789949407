-- Sessions of the console that were signed out, by their hash, until they would have ended by themselves. Every process reads them.
create table ended_sessions (
  session_hash {bytes} primary key,
  ends_ms {int} not null
);

create index ended_sessions_ends on ended_sessions (ends_ms);
