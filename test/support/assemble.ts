// Bytecode from mnemonics: `assemble('PUSH1 0x01 PUSH0 SSTORE')`. A word that is no mnemonic is raw hex.

import { concatBytes, hexToBytes } from '../../src/chain/bytes/hex.ts'
import { rulesOfFork } from '../../src/chain/rules/forks.ts'
import { operationsFor } from '../../src/evm/operations/table.ts'

export function assemble(text: string): Uint8Array {
  return concatBytes(
    ...text
      .trim()
      .split(/\s+/)
      .map((word) => {
        if (word.startsWith('0x')) return hexToBytes(word)
        const opcode = names.indexOf(word)
        if (opcode === -1) throw new Error(`${word} is no operation`)
        return Uint8Array.of(opcode)
      }),
  )
}

const { names } = operationsFor(rulesOfFork('osaka'))
