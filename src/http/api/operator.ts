// What an operator's tools ask for: is it alive, is it ready, how is it doing.
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../../lib/metrics.ts'

export type OperatorView = {
  /** Why requests would not be answered well right now; empty when ready. */
  notReadyReasons: () => Promise<readonly string[]> | readonly string[]
  /** What is answered, though not as it should be: a process with warnings is ready. */
  warnings?: () => readonly string[]
  /** Everything about this process, as JSON. */
  status: () => Promise<Record<string, unknown>> | Record<string, unknown>
}

export function addOperatorRoutes(
  app: FastifyInstance,
  { view, metrics }: { view: OperatorView; metrics: Metrics },
): void {
  app.get('/health', { config: { label: 'health' } }, async () => ({ status: 'alive' }))
  app.get('/ready', { config: { label: 'ready' } }, async (_request, reply) => {
    const reasons = await view.notReadyReasons()
    const warnings = view.warnings?.() ?? []
    return reply
      .status(reasons.length === 0 ? 200 : 503)
      .send({ ready: reasons.length === 0, reasons, ...(warnings.length > 0 && { warnings }) })
  })
  app.get('/status', { config: { label: 'status' } }, () => view.status())
  app.get('/metrics', { config: { label: 'metrics' } }, async (_request, reply) =>
    reply.header('content-type', metrics.contentType).send(await metrics.text()),
  )
}
