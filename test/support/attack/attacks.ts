// What one visitor can try against a service: each goes on until the signal, and ignores what it is answered.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { ATTACKER_ADDRESS, type Visitor } from './loopback.ts'
import { looping, manyLogs, rpcRequest, simulation } from './rpc-payloads.ts'
import { viaIrBomb } from './verification-bomb.ts'

export type Attack = (visitor: Visitor, ending: AbortSignal) => Promise<void>

/** Never more than so many at a time, over and over. */
async function repeatedly(ending: AbortSignal, times: number, attempt: () => Promise<unknown>): Promise<void> {
  const one = async () => {
    while (!ending.aborted) {
      await attempt().catch(() => undefined)
      // What is refused at once is tried again soon, not in a loop that only burns this machine.
      await sleep(5)
    }
  }
  await Promise.all(Array.from({ length: times }, one))
}

async function untilEnd(ending: AbortSignal): Promise<void> {
  while (!ending.aborted) await sleep(50)
}

function post(visitor: Visitor, target: string, payload: string | Buffer, headers: Record<string, string> = {}) {
  return visitor.send(target, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, payload })
}

/** Raw connections that send a beginning and then a byte now and then. */
async function dripping({ url }: Visitor, ending: AbortSignal, beginning: string, count: number): Promise<void> {
  const { port } = new URL(url)
  const open = () => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: ATTACKER_ADDRESS })
    socket.on('error', () => undefined)
    socket.write(beginning)
    const timer = setInterval(() => socket.write('x'), 500)
    socket.on('close', () => {
      clearInterval(timer)
      if (!ending.aborted) setTimeout(open, 50)
    })
  }
  for (let i = 0; i < count; i++) open()
  await untilEnd(ending)
}

export const attacks: Readonly<Record<string, Attack>> = {
  'never-reading subscribers': async (visitor, ending) => {
    const subscribe = JSON.stringify(rpcRequest('eth_subscribe', ['newFlashblockTransactions', true]))
    const open = () => {
      const socket = visitor.socket('/ws')
      socket.on('error', () => undefined)
      socket.on('open', () => {
        for (let i = 0; i < 100; i++) socket.send(subscribe)
        socket.pause()
      })
      socket.on('close', () => {
        if (!ending.aborted) setTimeout(open, 100)
      })
    }
    for (let i = 0; i < 100; i++) open()
    await untilEnd(ending)
  },
  'looping batches': (visitor, ending) =>
    repeatedly(ending, 3, () => visitor.rpc(Array.from({ length: 1_000 }, () => looping))),
  'looping batches over a WebSocket': async (visitor, ending) => {
    const batch = JSON.stringify(Array.from({ length: 1_000 }, () => looping))
    const open = () => {
      const socket = visitor.socket('/ws')
      socket.on('error', () => undefined)
      socket.on('open', () => {
        for (let i = 0; i < 20; i++) socket.send(batch)
      })
      socket.on('message', () => socket.send(batch))
      socket.on('close', () => {
        if (!ending.aborted) setTimeout(open, 100)
      })
    }
    for (let i = 0; i < 5; i++) open()
    await untilEnd(ending)
  },
  'via-IR bombs': (visitor, ending) => repeatedly(ending, 10, () => viaIrBomb(visitor)),
  'big bodies': (visitor, ending) => {
    const body = Buffer.alloc(30_000_000, 0x20)
    const targets = ['/verify', '/api/v5/explorer/contract/verify-source-code', '/', '/api', '/flashblocks']
    let next = 0
    return repeatedly(ending, 20, () => post(visitor, targets[next++ % targets.length]!, body))
  },
  'slow headers': (visitor, ending) => dripping(visitor, ending, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ', 300),
  'slow bodies': (visitor, ending) =>
    dripping(visitor, ending, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n', 300),
  'compression bombs': async (visitor, ending) => {
    const bomb = gzipSync(Buffer.alloc(100_000_000, 0x20))
    const socketBomb = () =>
      new Promise<void>((resolve) => {
        const socket = visitor.socket('/flashblocks', true)
        socket.on('error', () => resolve())
        socket.on('close', () => resolve())
        socket.on('open', () => socket.send(' '.repeat(50_000_000), { compress: true }))
      })
    await Promise.all([
      repeatedly(ending, 5, () => post(visitor, '/', bomb, { 'content-encoding': 'gzip' })),
      repeatedly(ending, 2, socketBomb),
    ])
  },
  'deep JSON': (visitor, ending) => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`
    return repeatedly(ending, 4, () => post(visitor, '/', deep))
  },
  'eth_getLogs over everything': (visitor, ending) => repeatedly(ending, 20, () => visitor.rpc(manyLogs)),
  'eth_simulateV1 at its limits': (visitor, ending) => repeatedly(ending, 5, () => visitor.rpc(simulation)),
  'exports in parallel': (visitor, ending) => repeatedly(ending, 30, () => visitor.send('/export/transactions.csv')),
  'searches and charts': (visitor, ending) => {
    const targets = ['/search?q=a', '/search?q=0x0', '/charts', '/tokens?q=e', '/search?q=%25_%25', '/gas']
    let next = 0
    return repeatedly(ending, 40, () => visitor.send(targets[next++ % targets.length]!))
  },
  'a flood of connections': async ({ url }, ending) => {
    const { port } = new URL(url)
    while (!ending.aborted) {
      for (let i = 0; i < 50; i++) {
        const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: ATTACKER_ADDRESS })
        socket.on('error', () => undefined)
        socket.setTimeout(2_000, () => socket.destroy())
      }
      await sleep(50)
    }
  },
}
