// Sends fixed bytes and nothing else, in a process of its own so that its CPU time can be measured.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let body = Buffer.alloc(0)
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader('content-length', body.length)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.on('message', (message: { bytes: string } | 'cpu') => {
  if (message !== 'cpu') body = Buffer.from(message.bytes, 'base64')
  const { user, system } = process.cpuUsage()
  process.send!((user + system) / 1000)
})
