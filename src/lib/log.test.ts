import { expect, test } from 'vitest'
import { credentialsIn, withoutCredentials } from './log.ts'

test.each([
  ['http://127.0.0.1:8545/', 'http://127.0.0.1:8545/'],
  ['wss://feed.example/flashblocks', 'wss://feed.example/flashblocks'],
  ['https://user:secret@node.example/', 'https://***@node.example/'],
  ['https://node.example/rpc?apikey=secret', 'https://node.example/rpc?***'],
  ['https://node.example/v2/0123456789abcdef0123456789abcdef', 'https://node.example/v2/***'],
  ['wss://node.example/8f14e45f-ceea-467f-a8d9-000000000000/ws', 'wss://node.example/***/ws'],
  ['postgres://u:secret@h/a_database_with_a_long_name', 'postgres://u:***@h/a_database_with_a_long_name'],
  ['coingecko:https://host/api/v3?key=secret#base', 'coingecko:https://host/api/v3?***#base'],
  ['https://key@node.example:1: fetch failed', 'https://***@node.example:1: fetch failed'],
  ['connect to ws://u:p@/a?b#c@feed.example/k3y-in-path failed', 'connect to ws://***@feed.example/*** failed'],
  ['./tokens.json', './tokens.json'],
])('the value %s is logged as %s', (address, shown) => {
  expect(withoutCredentials(address)).toBe(shown)
})

test('the credentials of a URL are listed as they stand there and decoded, short ones left out', () => {
  expect(credentialsIn('https://username:p%40ssword@node.example/v2/0123456789abcdef?key=a-secret&b=1')).toEqual([
    'p%40ssword',
    'p@ssword',
    'key=a-secret&b=1',
    'a-secret',
    'username',
    '0123456789abcdef',
  ])
  expect(credentialsIn('postgres://firstlight:password@db/firstlight')).toEqual(['password'])
  expect(credentialsIn('http://127.0.0.1:8545')).toEqual([])
})
