-- The account of preconfirmations: what the feed promised and what became of it. It tells of this service's own observations, so
-- unlike the index of the chain it holds times. Rows go after a day; blocks that broke a promise stay, and so does a month of figures.

-- `pos` is height * 2^20 + attempt * 2^10 + index: newest first is one walk along the key.
create table flashblocks (
  pos {int} primary key,
  payload_id {bytes} not null,
  hash {bytes} not null,
  gas_used {int} not null,
  transaction_count {int} not null,
  received_ms {int} not null
);
create index flashblocks_received on flashblocks (received_ms);

-- Apart, so that lists do not read past them. Brotli of the JSON text.
create table flashblock_messages (
  pos {int} primary key,
  message {bytes} not null
);

create table preconfirmed_transactions (
  hash {bytes} primary key,
  seen_ms {int} not null,
  seen_by {int} not null,
  height {int},
  flashblock_index {int},
  position {int},
  preconfirmed_ms {int},
  included_height {int},
  included_hash {bytes},
  included_position {int},
  included_ms {int},
  dropped_ms {int},
  verdict {int},
  changes {int} not null,
  past text,
  changed_ms {int} not null
) {clustered};
create index preconfirmed_transactions_changed on preconfirmed_transactions (changed_ms);

create table preconfirmed_blocks (
  height {int} primary key,
  hash {bytes} not null,
  included_ms {int} not null,
  payload_id {bytes},
  preconfirmed_hash {bytes},
  transaction_count {int} not null,
  is_broken {int} not null,
  differences text not null,
  figures text not null,
  safe_ms {int},
  finalized_ms {int}
);
create index preconfirmed_blocks_included on preconfirmed_blocks (is_broken, included_ms);

-- Sums of the blocks' figures over steps of time: finer ones for the last hour, coarser ones for the last month.
create table preconfirmation_figures (
  step_ms {int} not null,
  start_ms {int} not null,
  figures text not null,
  primary key (step_ms, start_ms)
) {clustered};
