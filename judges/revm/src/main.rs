//! Executes a chain with op-revm. The genesis comes as the first line of the input, then a block a line; each block is answered by a line
//! that says of every transaction what it used, emitted and changed. The state is the judge's own, from the genesis on.
mod transaction;
mod wire;

use op_revm::revm::{
    Context, Database, DatabaseCommit, ExecuteEvm, MainContext, SystemCallEvm,
    context::{BlockEnv, CfgEnv},
    database::{CacheDB, EmptyDB},
    primitives::{Address, B256, U256, address, eip4844::BLOB_BASE_FEE_UPDATE_FRACTION_PRAGUE},
    state::{AccountInfo, Bytecode, EvmState},
};
use op_revm::{L1BlockInfo, OpBuilder, OpSpecId, OpTransaction};
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::str::FromStr;
use wire::{Account, Block, EmittedLog, Executed, Genesis, Outcome};

type State = CacheDB<EmptyDB>;

/// EIP-4788 and EIP-2935: called by the protocol before the first transaction of a block.
const BEACON_ROOTS: Address = address!("000F3df6D732807Ef1319fB7B8bB8522d0Beac02");
const HISTORY_STORAGE: Address = address!("0000F90827F1C53a10cb7A02335B175320002935");

fn main() -> Result<(), Box<dyn Error>> {
    let mut lines = stdin().lock().lines();
    let first = lines.next().ok_or("the genesis is missing")??;
    let genesis: Genesis = serde_json::from_str(&first)?;
    let fork = OpSpecId::from_str(&genesis.fork).map_err(|_| format!("unknown fork {}", genesis.fork))?;
    let mut config = CfgEnv::new_with_spec(fork);
    config.chain_id = genesis.chain_id;
    let mut state = state_of(genesis)?;
    for line in lines {
        let executed = execute(&config, &mut state, serde_json::from_str(&line?)?)?;
        let mut out = stdout().lock();
        serde_json::to_writer(&mut out, &executed)?;
        out.write_all(b"\n")?;
        out.flush()?;
    }
    Ok(())
}

fn state_of(genesis: Genesis) -> Result<State, Box<dyn Error>> {
    let mut state = State::default();
    for (address, account) in genesis.alloc {
        let code = Bytecode::new_raw_checked(account.code)?;
        state.insert_account_info(
            address,
            AccountInfo::new(account.balance, account.nonce.to(), code.hash_slow(), code),
        );
        for (slot, value) in account.storage {
            state.insert_account_storage(address, slot, value)?;
        }
    }
    Ok(state)
}

fn execute(config: &CfgEnv<OpSpecId>, state: &mut State, block: Block) -> Result<Executed, Box<dyn Error>> {
    state.cache.block_hashes.insert(block.number - U256::ONE, block.parent_hash);
    let mut evm = Context::mainnet()
        .with_tx(OpTransaction::default())
        .with_block(environment(&block))
        .with_cfg(config.clone())
        .with_chain(L1BlockInfo::default())
        .with_db(state)
        .build_op();
    for (contract, word) in [(BEACON_ROOTS, block.parent_beacon_block_root), (HISTORY_STORAGE, block.parent_hash)] {
        let called = evm.system_call(contract, word.into())?;
        evm.0.ctx.journaled_state.database.commit(called.state);
    }
    let mut transactions = Vec::new();
    for each in block.transactions {
        let outcome = match evm.transact(transaction::to_execute(each)?) {
            Err(refusal) => Outcome::Refused { refused: refusal.to_string() },
            Ok(executed) => {
                let db = &mut evm.0.ctx.journaled_state.database;
                let changes = changes_of(db, &executed.state)?;
                db.commit(executed.state);
                Outcome::Included {
                    gas_used: executed.result.tx_gas_used(),
                    succeeded: executed.result.is_success(),
                    logs: executed.result.logs().iter().map(emitted).collect(),
                    changes,
                }
            }
        };
        transactions.push(outcome);
    }
    Ok(Executed { transactions })
}

fn environment(block: &Block) -> BlockEnv {
    let mut environment = BlockEnv {
        number: block.number,
        beneficiary: block.miner,
        timestamp: block.timestamp,
        gas_limit: block.gas_limit.to(),
        basefee: block.base_fee_per_gas.to(),
        prevrandao: Some(block.mix_hash),
        ..BlockEnv::default()
    };
    // A chain of the OP Stack has no blobs, so their price stays the lowest.
    environment.set_blob_excess_gas_and_price(0, BLOB_BASE_FEE_UPDATE_FRACTION_PRAGUE);
    environment
}

fn emitted(log: &op_revm::revm::primitives::Log) -> EmittedLog {
    EmittedLog { address: log.address, topics: log.topics().to_vec(), data: log.data.data.clone() }
}

/// What a transaction made of the state that it found. An empty account is no account (EIP-161).
fn changes_of(before: &mut State, after: &EvmState) -> Result<BTreeMap<Address, Option<Account>>, Box<dyn Error>> {
    let mut changes = BTreeMap::new();
    for (address, account) in after.iter().filter(|(_, account)| account.is_touched()) {
        let old = before.basic(*address)?.filter(|info| !info.is_empty());
        if account.is_selfdestructed() || account.info.is_empty() {
            if old.is_some() {
                changes.insert(*address, None);
            }
            continue;
        }
        let storage: BTreeMap<B256, B256> = account
            .changed_storage_slots()
            .map(|(slot, value)| (B256::from(*slot), B256::from(value.present_value)))
            .collect();
        let AccountInfo { balance, nonce, code_hash, .. } = account.info;
        let same = old.is_some_and(|old| old.balance == balance && old.nonce == nonce && old.code_hash == code_hash);
        if !same || !storage.is_empty() {
            changes.insert(*address, Some(Account { balance, nonce, code_hash, storage }));
        }
    }
    Ok(changes)
}
