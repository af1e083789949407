-- Most tokens have no market data: among those the list begins with the ones that most addresses hold.
alter table tokens add column holders {int} not null default 0;
update tokens set holders = coalesce((select c.holders from token_counts c where c.token = tokens.address), 0);
drop index tokens_market_cap;
drop index tokens_volume;
create index tokens_market_cap on tokens (kind, market_cap, holders, address, issued_ms);
create index tokens_volume on tokens (kind, volume24h, holders, address, issued_ms);
