-- The index of the chain. `pos` is height * 2^20 + index: primary key, page order, block range and reorg cut in one.
-- No insert times and no surrogate ids: what is stored depends on the chain alone.

{postgres:create function hex(bytea) returns text immutable parallel safe language sql return coalesce(encode($1, 'hex'), '');}

create table blocks (
  height {int} primary key,
  hash {bytes} not null,
  parent_hash {bytes} not null,
  timestamp_ms {int} not null,
  miner {bytes} not null,
  size {int} not null,
  gas_used {int} not null,
  gas_limit {int} not null,
  base_fee_per_gas {bytes},
  difficulty {bytes} not null,
  nonce {bytes} not null,
  extra_data {bytes} not null,
  state_root {bytes} not null,
  transactions_root {bytes} not null,
  receipts_root {bytes} not null,
  ommer_count {int} not null,
  amount {bytes} not null,
  total_fee {bytes} not null,
  burnt {bytes} not null,
  reward {bytes} not null,
  max_tip {bytes} not null,
  transaction_count {int} not null,
  internal_count {int},
  token20_count {int} not null,
  token721_count {int} not null,
  token1155_count {int} not null
);
create index blocks_hash on blocks (hash);
create index blocks_time on blocks (timestamp_ms, height);

create table transactions (
  pos {int} primary key,
  hash {bytes} not null,
  sender {bytes} not null,
  recipient {bytes},
  contract_address {bytes},
  value {bytes} not null,
  is_large {int} not null,
  fee {bytes} not null,
  l1_fee {bytes},
  nonce {int} not null,
  type {int} not null,
  status {int},
  gas_limit {int} not null,
  gas_used {int} not null,
  gas_price {bytes} not null,
  max_fee_per_gas {bytes},
  max_priority_fee_per_gas {bytes},
  method {bytes} not null,
  error text,
  source_hash {bytes},
  mint {bytes},
  input {bytes} not null
) {by-height};
create index transactions_hash on transactions (hash);
create index transactions_large on transactions (pos, value) where is_large = 1;

create table logs (
  pos {int} primary key,
  tx_pos {int} not null,
  address {bytes} not null,
  topic0 {bytes},
  topic1 {bytes},
  topic2 {bytes},
  topic3 {bytes},
  data {bytes} not null
) {by-height};
create index logs_address on logs (address, pos);
create index logs_topic on logs (address, topic0, pos);
create index logs_transaction on logs (tx_pos, pos);

create table transfers (
  pos {int} primary key,
  tx_pos {int} not null,
  log_index {int} not null,
  kind {int} not null,
  token {bytes} not null,
  sender {bytes} not null,
  recipient {bytes} not null,
  amount {bytes} not null,
  token_id {bytes}
) {by-height};
create index transfers_token on transfers (token, pos, amount);
create index transfers_transaction on transfers (tx_pos, pos, kind);

create table internals (
  pos {int} primary key,
  tx_pos {int} not null,
  depth {int} not null,
  operation {int} not null,
  sender {bytes} not null,
  recipient {bytes},
  value {bytes} not null,
  gas {int} not null,
  gas_used {int} not null,
  status {int} not null,
  error text
) {by-height};
create index internals_transaction on internals (tx_pos, pos);

create table activity (
  address {bytes} not null,
  kind {int} not null,
  pos {int} not null,
  role {int} not null,
  token {bytes},
  primary key (address, kind, pos)
) {clustered} {by-height};

create table contracts (
  address {bytes} primary key,
  height {int} not null,
  tx_pos {int},
  creator {bytes}
) {clustered};
create index contracts_height on contracts (height);

create table tokens (
  address {bytes} primary key,
  kind {int} not null,
  height {int} not null,
  issued_ms {int} not null,
  name text,
  symbol text,
  decimals {int},
  market_cap double precision not null default 0,
  volume24h double precision not null default 0
) {clustered};
create index tokens_height on tokens (height);
create index tokens_market_cap on tokens (kind, market_cap, address, issued_ms);
create index tokens_volume on tokens (kind, volume24h, address, issued_ms);

create table token_supplies (
  token {bytes} not null,
  height {int} not null,
  supply {bytes} not null,
  primary key (token, height)
) {clustered};
create index token_supplies_height on token_supplies (height);

create table token_counts (
  token {bytes} primary key,
  transfers {int} not null,
  holders {int} not null
) {clustered};

-- From the operator's sources, not from the chain.
create table token_market (
  token {bytes} primary key,
  price text,
  market_cap double precision not null,
  volume24h double precision not null,
  circulating_supply text,
  tvl text,
  website text,
  logo_url text
) {clustered};

create table native_balances (
  address {bytes} primary key,
  height {int} not null,
  balance {bytes} not null
) {clustered} {churning};
create index native_balances_rank on native_balances (balance, address);

create table native_history (
  address {bytes} not null,
  height {int} not null,
  balance {bytes} not null,
  primary key (address, height)
) {clustered};
create index native_history_height on native_history (height, address);

create table token_balances (
  token {bytes} not null,
  address {bytes} not null,
  balance {bytes} not null,
  primary key (token, address)
) {clustered} {churning};
create index token_balances_rank on token_balances (token, balance, address);
create index token_balances_address on token_balances (address, token);

create table token_items (
  token {bytes} not null,
  address {bytes} not null,
  token_id {bytes} not null,
  balance {bytes} not null,
  primary key (address, token, token_id)
) {clustered} {churning};

create table token_history (
  height {int} not null,
  token {bytes} not null,
  address {bytes} not null,
  token_id {bytes} not null,
  delta {bytes} not null,
  primary key (height, token, address, token_id)
) {clustered};

create table stored_ranges (
  first_height {int} primary key,
  last_height {int} not null
);

-- What the indexer remembers beside the chain: heads of the node, identity of the chain.
create table chain_notes (
  name text primary key,
  value text not null
);
