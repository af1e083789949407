import type { Row } from './contract-table.ts'
import type { Sent } from './sender.ts'

/** A request of the endpoint with these parameters, not yet signed. */
export function requestOf(row: Row, params: Record<string, unknown>, alias = 'chain'): Sent {
  const path = `/api/v5/${alias}${row.path}`
  if (row.method === 'POST') {
    return {
      method: 'POST',
      target: path,
      body: JSON.stringify(params),
      headers: { 'content-type': 'application/json' },
    }
  }
  const query = Object.entries(params).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return { target: query.length > 0 ? `${path}?${query.join('&')}` : path }
}
