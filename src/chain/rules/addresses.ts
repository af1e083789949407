// Addresses with a fixed meaning.

/** Caller of the system calls at the start and the end of a block. */
export const SYSTEM_ADDRESS = 0xfffffffffffffffffffffffffffffffffffffffen
/** EIP-4788: parent beacon block roots by time. */
export const BEACON_ROOTS = 0x000f3df6d732807ef1319fb7b8bb8522d0beac02n
/** EIP-2935: hashes of the last 8,191 blocks. */
export const HISTORY_STORAGE = 0x0000f90827f1c53a10cb7a02335b175320002935n
/** EIP-7002. */
export const WITHDRAWAL_REQUESTS = 0x00000961ef480eb55e80d19ad83579a64c007002n
/** EIP-7251. */
export const CONSOLIDATION_REQUESTS = 0x0000bbddc7ce488642fb579f8b00f3a590007251n

/** Sender of the L1 attributes deposit, the first transaction of every OP block. */
export const L1_ATTRIBUTES_DEPOSITOR = 0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001n

/** Predeploys of the OP Stack. */
export const L2_TO_L1_MESSAGE_PASSER = 0x4200000000000000000000000000000000000016n
export const WRAPPED_ETHER = 0x4200000000000000000000000000000000000006n
export const GAS_PRICE_ORACLE = 0x420000000000000000000000000000000000000fn
export const L1_BLOCK = 0x4200000000000000000000000000000000000015n
/** Coinbase of an OP block: receives the priority fees. */
export const SEQUENCER_FEE_VAULT = 0x4200000000000000000000000000000000000011n
export const BASE_FEE_VAULT = 0x4200000000000000000000000000000000000019n
export const L1_FEE_VAULT = 0x420000000000000000000000000000000000001an
export const OPERATOR_FEE_VAULT = 0x420000000000000000000000000000000000001bn
