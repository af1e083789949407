//! A transaction as JSON-RPC tells it, made into one that op-revm executes.
use crate::wire::Transaction;
use op_revm::OpTransaction;
use op_revm::revm::{
    context::{TxEnv, either::Either},
    primitives::{TxKind, U256, ruint::FromUintError},
};
use op_revm::transaction::deposit::{DEPOSIT_TRANSACTION_TYPE, DepositTransactionParts};

/// Fails where a number does not fit into the engine's type: such a transaction cannot be valid.
pub fn to_execute(tx: Transaction) -> Result<OpTransaction<TxEnv>, Box<dyn std::error::Error>> {
    let tx_type: u8 = tx.r#type.try_into()?;
    let is_deposit = tx_type == DEPOSIT_TRANSACTION_TYPE;
    let highest_price = tx.max_fee_per_gas.or(tx.gas_price).unwrap_or_default();
    let base = TxEnv {
        tx_type,
        caller: tx.from,
        gas_limit: tx.gas.try_into()?,
        gas_price: if is_deposit { 0 } else { highest_price.try_into()? },
        gas_priority_fee: optional(tx.max_priority_fee_per_gas)?,
        kind: tx.to.map_or(TxKind::Create, TxKind::Call),
        value: tx.value,
        data: tx.input,
        nonce: tx.nonce.try_into()?,
        chain_id: optional(tx.chain_id)?,
        access_list: tx.access_list,
        authorization_list: tx.authorization_list.into_iter().map(Either::Left).collect(),
        ..TxEnv::default()
    };
    let deposit = DepositTransactionParts::new(tx.source_hash.unwrap_or_default(), optional(tx.mint)?, false);
    Ok(OpTransaction { base, enveloped_tx: Some(tx.raw), deposit })
}

fn optional<T: TryFrom<U256, Error = FromUintError<T>>>(number: Option<U256>) -> Result<Option<T>, FromUintError<T>> {
    number.map(T::try_from).transpose()
}
