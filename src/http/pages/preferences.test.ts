import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { addPreferenceRoutes } from './preferences.ts'

async function visit(query: string) {
  const app = fastify()
  addPreferenceRoutes(app)
  const { headers, statusCode } = await app.inject(`/settings?${query}`)
  return { statusCode, location: headers.location, cookies: headers['set-cookie'] }
}

describe('a reader without JavaScript', () => {
  test('the preference is set as a cookie and the reader goes back to the page', async () => {
    expect(await visit('theme=dark&back=%2Ftxs%3Fpage%3D2')).toEqual({
      statusCode: 303,
      location: '/txs?page=2',
      cookies: 'theme=dark; Max-Age=31536000; Path=/; SameSite=Lax',
    })
  })

  test('the redirect never leads to another host', async () => {
    for (const back of ['//evil.example', 'https://evil.example', '/\\evil.example', '/%0d%0aset-cookie:x', '']) {
      expect((await visit(`back=${encodeURIComponent(back)}`)).location?.startsWith('//')).toBe(false)
      expect((await visit(`back=${encodeURIComponent(back)}`)).location).not.toContain('evil.example')
    }
  })

  test('an unknown preference sets no cookie', async () => {
    expect((await visit('theme=red&clock=%0d%0ax')).cookies).toBeUndefined()
  })
})
