-- Supplies that were asked for only because the token was new: a token that turns out to be older than that loses them.
alter table token_supplies add column is_first {int} not null default 0;
