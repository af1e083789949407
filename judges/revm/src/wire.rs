//! The JSON lines that the judge reads and writes. Spellings are those of the JSON-RPC of nodes.
use op_revm::revm::{
    context_interface::transaction::{AccessList, SignedAuthorization},
    primitives::{Address, B256, Bytes, U256},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The first line.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Genesis {
    pub chain_id: u64,
    /// As `OpSpecId` spells it: `Jovian`, `Karst`.
    pub fork: String,
    pub alloc: BTreeMap<Address, Allocation>,
}

#[derive(Deserialize)]
pub struct Allocation {
    pub balance: U256,
    pub nonce: U256,
    pub code: Bytes,
    pub storage: BTreeMap<U256, U256>,
}

/// Every other line.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Block {
    pub number: U256,
    pub parent_hash: B256,
    pub parent_beacon_block_root: B256,
    pub timestamp: U256,
    pub gas_limit: U256,
    pub base_fee_per_gas: U256,
    pub miner: Address,
    pub mix_hash: B256,
    pub transactions: Vec<Transaction>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transaction {
    /// The encoded transaction: the L1 fee depends on its bytes.
    pub raw: Bytes,
    pub r#type: U256,
    pub from: Address,
    pub to: Option<Address>,
    pub nonce: U256,
    pub gas: U256,
    pub value: U256,
    pub input: Bytes,
    pub chain_id: Option<U256>,
    pub gas_price: Option<U256>,
    pub max_fee_per_gas: Option<U256>,
    pub max_priority_fee_per_gas: Option<U256>,
    #[serde(default)]
    pub access_list: AccessList,
    #[serde(default)]
    pub authorization_list: Vec<SignedAuthorization>,
    pub source_hash: Option<B256>,
    pub mint: Option<U256>,
}

/// The answer to a block.
#[derive(Serialize)]
pub struct Executed {
    pub transactions: Vec<Outcome>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub enum Outcome {
    #[serde(rename_all = "camelCase")]
    Included {
        gas_used: u64,
        succeeded: bool,
        logs: Vec<EmittedLog>,
        /// Only accounts that differ from before; null: the account is gone.
        changes: BTreeMap<Address, Option<Account>>,
    },
    Refused { refused: String },
}

#[derive(Serialize)]
pub struct EmittedLog {
    pub address: Address,
    pub topics: Vec<B256>,
    pub data: Bytes,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    pub balance: U256,
    pub nonce: u64,
    pub code_hash: B256,
    /// Only slots that differ from before.
    pub storage: BTreeMap<B256, B256>,
}
