import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { generatedDocuments } from '../../scripts/generated-documents.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { rpcMethods } from '../../src/contract/rpc.ts'

function read(path: string) {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
}

describe('generated documents', () => {
  for (const { file, text } of generatedDocuments()) {
    test(`${file.pathname.split('/').at(-1)} is up to date (else: npm run docs)`, () => {
      expect(readFileSync(file, 'utf8')).toBe(text)
    })
  }
})

type AnswerSchema = { readonly properties?: { readonly code: unknown }; readonly $ref?: string }
type Operation = {
  readonly operationId: string
  readonly description?: string
  readonly responses: { 200: { content: { 'application/json': { schema: { oneOf: AnswerSchema[] } } } } }
}

describe('openapi.json', () => {
  const document = JSON.parse(read('docs/openapi.json')) as {
    openapi: string
    paths: Record<string, Record<string, Operation>>
    components: { schemas: { RefusalWithStatus200: { properties: { code: { enum: string[] } } } } }
  }

  test('openapi.json has every endpoint once, under a unique operation id', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    expect(document.openapi).toBe('3.1.0')
    expect(operations.map((operation) => operation.operationId).sort()).toEqual(
      [...Object.keys(endpoints), 'etherscan', 'preconfirmationRpc'].sort(),
    )
  })

  test('openapi.json says that an answer with status 200 may carry a code other than 0', () => {
    const { code } = document.components.schemas.RefusalWithStatus200.properties
    expect(code.enum).toEqual(['50025', '50037', '50038', '50040'])
    for (const name of Object.keys(document.paths).filter((path) => path.startsWith('/api/v5'))) {
      const [operation] = Object.values(document.paths[name]!)
      const { oneOf } = operation!.responses[200].content['application/json'].schema
      expect(oneOf[0]!.properties?.code).toEqual({ const: '0' })
      expect(oneOf[1]).toEqual({ $ref: '#/components/schemas/RefusalWithStatus200' })
    }
  })

  test('openapi.json names all seventeen methods of E20', () => {
    const text = document.paths['/flashblocks']!.post!.description!
    expect(Object.keys(rpcMethods)).toHaveLength(17)
    for (const method of Object.keys(rpcMethods)) expect(text).toContain(`\`${method}\``)
  })
})

describe('spec-gaps.md', () => {
  test('spec-gaps.md links only to tests that exist', () => {
    const linked = [...read('docs/spec-gaps.md').matchAll(/\]\(\.\.\/([^)]+\.test\.tsx?)\)/g)].map((match) => match[1]!)
    expect(linked.length).toBeGreaterThan(20)
    expect(linked.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([])
  })

  test('spec-gaps.md has a row for each of the 44 decisions, which comments link to by number', () => {
    const numbers = [...read('docs/spec-gaps.md').matchAll(/^\| <a id="(\d+)"><\/a>\1 \|/gm)].map((match) =>
      Number(match[1]),
    )
    expect(numbers).toEqual(Array.from({ length: 44 }, (_, index) => index + 1))
  })
})

describe('README', () => {
  test('README quotes the shell script that the tests run', () => {
    const script = read('test/support/signed-request.sh').split('\n').slice(2).join('\n')
    expect(script).toContain('openssl')
    expect(read('README.md')).toContain(script)
  })

  test('README gives the command that CI runs', () => {
    expect(read('.ci/run')).toContain('npm ci && npm test')
    expect(read('README.md')).toContain('npm ci && npm test')
  })
})
