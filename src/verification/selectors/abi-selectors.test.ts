import { expect, test } from 'vitest'
import { hexToBytes } from '../../chain/bytes/hex.ts'
import { selectorsInCode } from './abi-selectors.ts'

test('selectors in code are the four-byte pushes, also without a leading zero byte, and nothing inside longer pushes', () => {
  // PUSH4 a9059cbb EQ, PUSH3 0a0b0c, PUSH4 ffffffff, PUSH8 with a PUSH4 in its bytes, PUSH4 at the very end without its bytes.
  const code = hexToBytes('0x63a9059cbb14620a0b0c63ffffffff67006311223344556663aabb')
  expect(selectorsInCode(code, 10)).toEqual(['0xa9059cbb', '0x000a0b0c'])
  expect(selectorsInCode(code, 1)).toEqual(['0xa9059cbb'])
})
