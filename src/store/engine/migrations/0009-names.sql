-- Tokens and verified contracts by the beginning of their names. A name is anybody's text, in any length and any alphabet: its first
-- characters as hex digits have one order in both engines, whatever the collation of the database.

{postgres:create function hex(text) returns text immutable parallel safe language sql return upper(encode(convert_to($1, 'UTF8'), 'hex'));}
create index tokens_symbol on tokens ((hex(lower(substr(symbol, 1, 64)))));
create index tokens_name on tokens ((hex(lower(substr(name, 1, 64)))));
create index verified_contracts_name on verified_contracts ((hex(lower(substr(name, 1, 64)))));
