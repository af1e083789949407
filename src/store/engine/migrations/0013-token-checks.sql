-- Whether the sums of a token's events agree with the answers of its contract, and what was read from the contract where they do not.
create table token_checks (
  token {bytes} primary key,
  source {int} not null,
  height {int} not null,
  supply {bytes},
  checked_ms {int} not null,
  due_ms {int} not null,
  active_height {int} not null,
  walked_pos {int} not null,
  read_since {int} not null
) {clustered} {churning};
create index token_checks_due on token_checks (due_ms, token);
create index token_checks_height on token_checks (height);
create index token_checks_active on token_checks (active_height);
create index token_checks_source on token_checks (source, token);
insert into token_checks (token, source, height, checked_ms, due_ms, active_height, walked_pos, read_since)
select address, 0, -1, 0, 0, -1, 0, 0 from tokens;

-- The sum of all stored balances of the token; null until it is computed for tokens that are older than this column.
alter table token_counts add column total {bytes};

-- Where a token is read from its contract: the height at which this balance was read, -1 where it must be read.
alter table token_balances add column read_height {int};
drop index token_balances_rank;
create index token_balances_rank on token_balances (token, balance, address, read_height);
create index token_balances_read on token_balances (token, read_height, address) where read_height is not null;
