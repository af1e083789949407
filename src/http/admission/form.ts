/** For @fastify/formbody: a field that is sent twice keeps its last value, so every field is one text. */
export function parseForm(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}
