// A server in a process of its own: its port and the CPU time that it used.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type Served = { port: number; credentials: { key: string; secret: string; passphrase: string } }

export type ServerProcess = Served & {
  cpuMs: () => Promise<number>
  /** Bare servers answer a target with this. */
  teach: (target: string, body: string) => void
  stop: () => Promise<void>
}

export async function startServerProcess(kind: 'bare' | 'firstlight', dataDir: string): Promise<ServerProcess> {
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), [kind, dataDir])
  const [served] = (await once(child, 'message')) as [Served]
  return {
    ...served,
    cpuMs: async () => {
      child.send('cpu')
      const [ms] = (await once(child, 'message')) as [number]
      return ms
    },
    teach: (target, body) => void child.send({ target, body }),
    stop: () => ended(child),
  }
}

/** Writes one block of 200 transactions a second to the database until it is stopped. */
export async function startWriterProcess(dataDir: string): Promise<{ stop: () => Promise<void> }> {
  const child = fork(fileURLToPath(new URL('./writer.ts', import.meta.url)), [dataDir])
  await once(child, 'message')
  return { stop: () => ended(child) }
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill()
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
