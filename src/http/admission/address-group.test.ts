import { expect, test } from 'vitest'
import { addressGroup } from './address-group.ts'

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
])('%s is of the household %s', (address, household) => {
  expect(addressGroup(address)).toBe(household)
})
