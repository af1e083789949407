-- Verified contracts as a list, and their files with what each word of them is, made once when a source is verified. Only the
-- shape is kept: the words themselves are those of the verified source.

create index verified_contracts_newest on verified_contracts (verified_ms, address);

create table highlighted_files (
  content_hash {bytes} not null,
  language text not null,
  shape text not null,
  primary key (content_hash, language)
) {clustered};
