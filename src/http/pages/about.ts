import { readFileSync } from 'node:fs'
import type { AboutData } from '../../../web/pages/about.tsx'
import type { PageLoader, Visit } from './visit.ts'

/** The dependencies are read once: they do not change while the server runs. */
export function createAboutPage(): PageLoader {
  const packages = readPackages()
  return async ({ answers, node, nodeAbilities }) => {
    const [{ heads }, ranges, chainId] = await Promise.all([answers.heads(), answers.storedRanges(), chainIdOf(node)])
    const status = node?.status()
    const feed = status?.feed ? (status.isStale ? 'silent' : 'followed') : 'none'
    return { page: 'about', data: { chainId, heads, ranges, nodes: nodeAbilities(), feed, packages } }
  }
}

async function chainIdOf(node: Visit['node']): Promise<string> {
  const [answer] = node ? await node.ask([['eth_chainId']]) : []
  return answer?.type === 'result' ? String(Number(answer.result)) : ''
}

/** The dependencies with their licences. */
function readPackages(): AboutData['packages'] {
  return Object.keys(manifestAt('package.json').dependencies ?? {}).map((name) => {
    const { version = '', license = '' } = manifestAt(`node_modules/${name}/package.json`)
    return { name, version, license }
  })
}

type Manifest = { version?: string; license?: string; dependencies?: Record<string, string> }

function manifestAt(path: string): Manifest {
  try {
    return JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')) as Manifest
  } catch {
    // The package is installed elsewhere: it is listed without version.
    return {}
  }
}
