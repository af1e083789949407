import { expect, test } from 'vitest'
import { withoutCredentials } from './log.ts'

test.each([
  ['http://127.0.0.1:8545/', 'http://127.0.0.1:8545/'],
  ['wss://feed.example/flashblocks', 'wss://feed.example/flashblocks'],
  ['https://user:secret@node.example/', 'https://user:***@node.example/'],
  ['https://node.example/rpc?apikey=secret', 'https://node.example/rpc?***'],
  ['https://node.example/v2/0123456789abcdef0123456789abcdef', 'https://node.example/v2/***'],
  ['wss://node.example/8f14e45f-ceea-467f-a8d9-000000000000/ws', 'wss://node.example/***/ws'],
  ['postgres://u:secret@h/a_database_with_a_long_name', 'postgres://u:***@h/a_database_with_a_long_name'],
  ['coingecko:https://host/api/v3?key=secret#base', 'coingecko:https://host/api/v3?***#base'],
  ['./tokens.json', './tokens.json'],
])('the value %s is logged as %s', (address, shown) => {
  expect(withoutCredentials(address)).toBe(shown)
})
