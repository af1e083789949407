-- How often each key was used, by day (days since 1970, UTC) and route, and when last.
create table key_usage (
  key_id text not null,
  day {int} not null,
  route text not null,
  requests {int} not null,
  last_ms {int} not null,
  primary key (key_id, day, route)
) {clustered};
create index key_usage_day on key_usage (day);
