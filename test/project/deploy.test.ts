// What is shipped for operators beside the program names only what the program has.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { options } from '../../src/app/options.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const START_TIMEOUT_MS = 120_000

function pathOf(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}
function textOf(path: string): string {
  return readFileSync(pathOf(path), 'utf8')
}

type Panel = { id: number; title: string; gridPos: { x: number; w: number }; targets?: { expr: string }[] }
const panels = (JSON.parse(textOf('deploy/grafana/dashboards/firstlight.json')) as { panels: Panel[] }).panels
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const alerts = textOf('deploy/prometheus/alerts.yml')
  .split(/\n\s+- alert: /)
  .slice(1)

function metricsIn(text: string): string[] {
  return [...new Set(text.match(/\bfirstlight_[a-z0-9_]+/g))]
}

/** The names in the first column of its tables; `{a,b}` in a name stands for either. */
function metricsDescribedIn(section: string): string[] {
  return [...section.matchAll(/^\| (`[^|]+`) \|/gm)]
    .flatMap(([, cell]) => cell!.split(', `').map((name) => name.replaceAll('`', '')))
    .flatMap((name) => {
      const [, before, either, after] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? []
      return either === undefined ? [name] : either.split(',').map((each) => before + each + after)
    })
    .map((name) => `firstlight_${name.replace(/^firstlight_/, '')}`)
}

/** A server without DATABASE_READ_URL does not measure them. */
const ONLY_WITH_REPLICA = textOf('src/app/replica-part.ts').match(/firstlight_replica_\w+/g) ?? []

test('compose.yaml publishes the service and nothing else, and Prometheus reads the port of the operator', () => {
  const compose = textOf('compose.yaml')
  expect(compose.match(/^\s+ports:.*$/gm)?.map((line) => line.trim())).toEqual(['ports: ["8545:8545"]'])
  const [, operatorPort] = /OPERATOR_PORT: "(\d+)"/.exec(compose)!
  expect(textOf('deploy/prometheus/prometheus.yml')).toContain(`targets: [firstlight:${operatorPort}]`)
  expect(textOf('deploy/grafana/publish.yaml')).toContain('ports: ["127.0.0.1:')
})

describe('dashboard and alerts', () => {
  let server: TestServer
  let known: ReadonlySet<string>

  beforeAll(async () => {
    server = await startTestServer({ ROLES: 'indexer,api,rpc,relay,verifier,web' })
    const text = await (await fetch(`${server.url}/metrics`)).text()
    known = new Set([
      ...ONLY_WITH_REPLICA,
      ...[...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name!],
      ),
    ])
  }, START_TIMEOUT_MS)

  afterAll(() => server?.stop())

  test('dashboard and alerts ask for nothing that a running server does not measure', () => {
    expect(known.size).toBeGreaterThan(40)
    for (const text of [...queries, ...alerts]) {
      expect(
        metricsIn(text).filter((name) => !known.has(name)),
        text,
      ).toEqual([])
    }
  })

  test('dashboard and alerts are all that operating.md describes as a metric', () => {
    const described = textOf('docs/operating.md')
      .split(/\n## /)
      .filter((section) => /^(Metrics of|The index)/.test(section))
      .flatMap(metricsDescribedIn)
    expect(described.length).toBeGreaterThan(30)
    expect(described.filter((name) => !known.has(name) && !known.has(`${name}_bucket`))).toEqual([])
  })

  test('dashboard and alerts show most of what is measured of the chain', () => {
    const shown = new Set([...queries, ...alerts].flatMap(metricsIn))
    expect(shown.size).toBeGreaterThan(30)
  })

  test('dashboard and alerts have panels that fit the grid, each under its own number', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { title, gridPos } of panels) expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24)
  })

  test('dashboard and alerts say of each alert how grave it is and what is wrong', () => {
    expect(alerts.length).toBeGreaterThan(10)
    for (const alert of alerts) {
      expect(alert).toMatch(/expr: \S/)
      expect(alert).toMatch(/severity: (page|ticket)/)
      expect(alert).toMatch(/summary: "\S/)
    }
  })

  test('dashboard and alerts are where Prometheus and Grafana look for them', () => {
    expect(textOf('deploy/prometheus/prometheus.yml')).toContain('rule_files: [alerts.yml]')
    const uid = /uid: (\S+)/.exec(textOf('deploy/grafana/provisioning/datasources/prometheus.yaml'))![1]
    const sources = textOf('deploy/grafana/dashboards/firstlight.json').match(/"uid": "(?!firstlight)[^"]*"/g)
    expect(new Set(sources)).toEqual(new Set([`"uid": "${uid}"`]))
    for (const [, folder] of textOf('compose.yaml').matchAll(/- \.\/(deploy\/[^:]+):/g)) {
      expect(existsSync(pathOf(folder!)), folder).toBe(true)
    }
  })
})

describe('compose.yaml', () => {
  test('compose.yaml sets only what is an option', () => {
    const service = /\n {2}firstlight:\n([\s\S]*?)\n\n/.exec(textOf('compose.yaml'))![1]!
    const names = [...service.matchAll(/^ {6}([A-Z0-9_]+):/gm)].map(([, name]) => name!)
    expect(names.length).toBeGreaterThan(5)
    expect(names.filter((name) => !Object.hasOwn(options, name))).toEqual([])
  })
})
