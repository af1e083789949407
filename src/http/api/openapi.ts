// docs/openapi.json, generated from the contract: OpenAPI 3.1 for E1 to E19, their sisters, and E20.
import { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { refusals } from '../../contract/failure.ts'
import { rpcMethods } from '../../contract/rpc.ts'

type Json = Record<string, unknown>

const tags = {
  token: 'Tokens and their transfers',
  address: 'What an address did and holds',
  block: 'Blocks and what is in them',
  transaction: 'Transactions, internal transactions and token transfers by hash',
  contract: 'Verification of contracts and verified sources',
  log: 'Event logs',
  etherscan: 'For clients that speak Etherscan’s dialect',
  preconfirmation: 'Ethereum JSON-RPC over the preconfirmed state',
}

/** `chainShortName` is that of the examples, so that they work as they are. */
export function openapiDocument(chainShortName = 'DEV'): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Firstlight',
      version: 'v5',
      summary: 'Chain explorer data API and preconfirmation RPC',
      description:
        'Every explorer request is signed: `ACCESS-SIGN` is `base64(hmac-sha256(secret, timestamp + METHOD + target + body))` over the target exactly as it stands in the request line. ' +
        'On the wire every scalar is a string, every `is*` a boolean, and what is missing is the empty string.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ key: [], sign: [], timestamp: [], passphrase: [] }],
    paths: {
      ...Object.fromEntries(
        Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => [
          `/api/v5/chain${endpoint.path}`,
          { [endpoint.method.toLowerCase()]: operation(name, endpoint, chainShortName) },
        ]),
      ),
      '/api': { get: etherscanOperation() },
      '/flashblocks': { post: rpcOperation() },
    },
    components: {
      securitySchemes,
      schemas: {
        Refusal: refusalSchema(() => true),
        RefusalWithStatus200: refusalSchema(({ status }) => status === 200),
      },
      responses: { Refused: refusedResponse },
    },
  }
}

function header(name: string, description: string) {
  return { type: 'apiKey', in: 'header', name, description }
}

const securitySchemes = {
  key: header('SVC-ACCESS-KEY', 'API key'),
  sign: header('SVC-ACCESS-SIGN', 'Signature of the request'),
  timestamp: header('SVC-ACCESS-TIMESTAMP', 'ISO 8601 in UTC, at most 30 s from the server’s time'),
  passphrase: header('SVC-ACCESS-PASSPHRASE', 'Passphrase of the key'),
}

function refusalSchema(isMeant: (refusal: { readonly status: number }) => boolean): Json {
  const codes = Object.values(refusals)
    .filter(isMeant)
    .map(({ code }) => code)
  return {
    type: 'object',
    required: ['code', 'msg', 'data'],
    properties: {
      code: { enum: [...new Set(codes)].sort() },
      msg: { type: 'string', description: 'What is wrong and what would be right' },
      data: { type: 'array', maxItems: 0 },
    },
  }
}

const refusedResponse = {
  description: 'Refused. `code` says why; with HTTP 200 for what this service does not know, 4xx and 5xx otherwise.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
}

function operation(name: string, endpoint: Endpoint, chainShortName: string): Json {
  return {
    operationId: name,
    tags: [endpoint.path.split('/')[1]],
    summary: `${endpoint.id} · ${endpoint.summary}`,
    ...(endpoint.description && { description: endpoint.description }),
    ...(endpoint.method === 'GET'
      ? { parameters: queryParameters(endpoint, chainShortName) }
      : { requestBody: jsonBody(endpoint) }),
    responses: {
      200: {
        description:
          'The answer, with the code "0"; or a refusal with another code, of a request that is understood but asks for what is not there.',
        content: {
          'application/json': {
            schema: { oneOf: [envelopeSchema(endpoint), { $ref: '#/components/schemas/RefusalWithStatus200' }] },
          },
          ...(isList(endpoint) && wholeList),
        },
      },
      default: { $ref: '#/components/responses/Refused' },
    },
  }
}

function isList(endpoint: Endpoint): boolean {
  return endpoint.method === 'GET' && 'after' in paramsSchema(endpoint).properties
}

/** Given to whoever asks with the media type in `Accept`. */
const wholeList = {
  'application/x-ndjson': {
    schema: { type: 'string', description: 'Every record of the list, past any page, one a line' },
  },
  'text/csv': { schema: { type: 'string', description: 'The same as a table, with a line of names first' } },
}

function paramsSchema(endpoint: Endpoint) {
  return plain(z.toJSONSchema(endpoint.params, { io: 'input' })) as {
    properties: Record<string, Json>
    required?: string[]
  }
}

function queryParameters(endpoint: Endpoint, chainShortName: string): Json[] {
  const { properties, required = [] } = paramsSchema(endpoint)
  return Object.entries(properties).map(([name, { description, example, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    // The viewer fills examples in, so only what must be given has one.
    ...(required.includes(name) && { example: name === 'chainShortName' ? chainShortName : example }),
    schema,
  }))
}

function jsonBody(endpoint: Endpoint): Json {
  return {
    required: true,
    content: { 'application/json': { schema: paramsSchema(endpoint) } },
  }
}

function envelopeSchema(endpoint: Endpoint): Json {
  return {
    type: 'object',
    required: ['code', 'msg', 'data'],
    properties: {
      code: { const: '0' },
      msg: { type: 'string' },
      data: plain(z.toJSONSchema(endpoint.data)),
      truncated: { type: 'boolean', description: 'There were more results than the limit' },
      nextCursor: { type: 'string', description: 'Cursor for `after`' },
    },
  }
}

function etherscanOperation(): Json {
  return {
    operationId: 'etherscan',
    tags: ['etherscan'],
    summary: 'The same index in the dialect of Etherscan’s clients',
    description:
      'Modules account, block, contract, logs, stats, token and transaction, with their usual actions, parameters and strings. GET, or POST with a form. `apikey` is an API key without a signature.',
    security: [],
    parameters: [
      { name: 'module', in: 'query', required: true, schema: { type: 'string' }, example: 'account' },
      { name: 'action', in: 'query', required: true, schema: { type: 'string' }, example: 'balance' },
      { name: 'apikey', in: 'query', required: false, schema: { type: 'string' } },
    ],
    responses: {
      200: {
        description: 'Answer or refusal',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['status', 'message', 'result'],
              properties: { status: { enum: ['0', '1'] }, message: { type: 'string' }, result: {} },
            },
          },
        },
      },
    },
  }
}

function rpcOperation(): Json {
  return {
    operationId: 'preconfirmationRpc',
    tags: ['preconfirmation'],
    summary: 'E20 · Preconfirmation JSON-RPC',
    description: [
      'Ethereum JSON-RPC 2.0, single or in batches. The tag `pending` is the state of the last flashblock.',
      '',
      '| method | params | answers |',
      '|---|---|---|',
      ...Object.entries(rpcMethods).map(
        ([name, method]) => `| \`${name}\` | ${method.names.join(', ')} | ${method.summary} |`,
      ),
    ].join('\n'),
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['jsonrpc', 'method', 'id'],
            properties: {
              jsonrpc: { const: '2.0' },
              method: { type: 'string', examples: Object.keys(rpcMethods) },
              params: { type: 'array' },
              id: { type: ['string', 'number', 'null'] },
            },
          },
          example: { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: ['pending'] },
        },
      },
    },
    responses: {
      200: {
        description: 'Answer or error by JSON-RPC 2.0',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['jsonrpc', 'id'],
              properties: {
                jsonrpc: { const: '2.0' },
                id: { type: ['string', 'number', 'null'] },
                result: {},
                error: {
                  type: 'object',
                  properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} },
                },
              },
            },
          },
        },
      },
    },
  }
}

/** OpenAPI 3.1 implies the dialect, so a schema inside it does not name it. */
function plain({ $schema: _, additionalProperties: __, ...schema }: Json): Json {
  return schema
}
