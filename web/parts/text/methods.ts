// Names of widely used methods by ABI selector, for contracts whose ABI is not known. They are for display only: another function can
// have the same four bytes.
const names: Readonly<Record<string, string>> = {
  '0xa9059cbb': 'transfer',
  '0x23b872dd': 'transferFrom',
  '0x095ea7b3': 'approve',
  '0x42842e0e': 'safeTransferFrom',
  '0xb88d4fde': 'safeTransferFrom',
  '0xf242432a': 'safeTransferFrom',
  '0x2eb2c2d6': 'safeBatchTransferFrom',
  '0xa22cb465': 'setApprovalForAll',
  '0xd0e30db0': 'deposit',
  '0x2e1a7d4d': 'withdraw',
  '0x40c10f19': 'mint',
  '0xa0712d68': 'mint',
  '0x1249c58b': 'mint',
  '0x42966c68': 'burn',
  '0x38ed1739': 'swapExactTokensForTokens',
  '0x7ff36ab5': 'swapExactETHForTokens',
  '0x18cbafe5': 'swapExactTokensForETH',
  '0xe8e33700': 'addLiquidity',
  '0xbaa2abde': 'removeLiquidity',
  '0xac9650d8': 'multicall',
  '0x5ae401dc': 'multicall',
  '0x82ad56cb': 'aggregate3',
  '0x015d8eb9': 'setL1BlockValues',
  '0x440a5e20': 'setL1BlockValuesEcotone',
  '0x3db6be2b': 'setL1BlockValuesJovian',
  '0x098999be': 'setL1BlockValuesIsthmus',
  '0xd505accf': 'permit',
  '0x3659cfe6': 'upgradeTo',
  '0x4f1ef286': 'upgradeToAndCall',
  '0x8da5cb5b': 'owner',
  '0xf2fde38b': 'transferOwnership',
}

function methodName(selector: string): string {
  return names[selector] ?? selector
}

/** From the ABI where it is known, otherwise from the selector; empty without call data. */
export function calledMethod({
  methodId,
  decodedInput,
}: {
  methodId: string
  decodedInput: readonly { method: string }[]
}) {
  return decodedInput[0]?.method.split('(')[0] || (methodId === '' ? '' : methodName(methodId))
}

/** A short word for the method column. */
export function methodWord(record: { methodId: string; to: string }): string {
  if (record.to === '') return 'contract creation'
  if (record.methodId === '') return 'transfer'
  return methodName(record.methodId)
}
