import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'

const all = Object.entries<Endpoint>(endpoints)

test('no two endpoints have the same id or the same path', () => {
  expect(new Set(all.map(([, { id }]) => id)).size).toBe(all.length)
  expect(new Set(all.map(([, { path }]) => path)).size).toBe(all.length)
})

test('the spec’s own nineteen are all there, and sisters carry the number they belong to', () => {
  const ids = all.map(([, { id }]) => id)
  for (let number = 1; number <= 19; number++) expect(ids).toContain(`E${number}`)
  for (const id of ids) expect(id).toMatch(/^E([1-9]|1\d|20)[a-e]?$/)
})

test('every endpoint asks for the chain', () => {
  for (const [name, { params }] of all) expect(Object.keys(params.shape)[0], name).toBe('chainShortName')
})

test('an endpoint with pages has all three of page, limit and after', () => {
  for (const [name, { params }] of all) {
    const paging = ['page', 'limit'].filter((key) => key in params.shape)
    expect(paging.length === 0 || paging.length === 2, name).toBe(true)
    if (paging.length === 2) expect('after' in params.shape, name).toBe(true)
  }
})

test('a paged endpoint answers with one element that carries the paging fields', () => {
  for (const [name, { params, data }] of all.filter(([, { params }]) => 'page' in params.shape)) {
    const schema = z.toJSONSchema(data) as { prefixItems?: readonly { properties: Record<string, unknown> }[] }
    expect(schema.prefixItems, name).toHaveLength(1)
    expect(Object.keys(schema.prefixItems![0]!.properties), name).toEqual(
      expect.arrayContaining(['page', 'limit', 'totalPage', 'nextCursor']),
    )
    expect(params.shape).toHaveProperty('chainShortName')
  }
})

test('only what changes something, or carries a body, is a POST', () => {
  expect(all.filter(([, { method }]) => method === 'POST').map(([name]) => name)).toEqual([
    'verifySourceCode',
    'checkVerifyResult',
    'verifyProxyContract',
    'checkProxyVerifyResult',
  ])
})

test('every answer and every parameter can be written as a JSON schema', () => {
  for (const [name, { params, data }] of all) {
    expect(z.toJSONSchema(data), name).toHaveProperty('type', 'array')
    expect(z.toJSONSchema(params, { io: 'input' }), name).toHaveProperty('type', 'object')
  }
})
