-- What a chain's own rules add to blocks and transactions, as JSON; null where this program knows every field.
alter table blocks add column unknown_fields text;
alter table transactions add column unknown_fields text;
