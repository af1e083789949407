import { expect, test } from 'vitest'
import { addressGroup } from './admission.ts'

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::a:b:c:d', '2001:db8:0:0'],
  ['2001:db8:0:0:1::', '2001:db8:0:0'],
  ['2001::1:2:3:4:5:6', '2001:0:1:2'],
  ['::1', '0:0:0:0'],
  ['203.0.113.9:4711', '203.0.113.9'],
  ['[2001:db8:1:2::1]:4711', '2001:db8:1:2'],
])('the address %s is in the rate limit group %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})
