// Signing of explorer requests by WebCrypto, so that it runs in Node and in a browser alike.
export type ApiCredentials = { key: string; secret: string; passphrase: string }

export type RequestToSign = {
  /** ISO 8601 in UTC. */
  timestamp: string
  method: string
  /** Path with query, exactly as it will stand in the request line. */
  target: string
  body: string
}

export function textToSign({ timestamp, method, target, body }: RequestToSign): string {
  return timestamp + method.toUpperCase() + target + body
}

/** `base64(hmac-sha256(secret, text))`. */
export async function signatureOf(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  const digest = await crypto.subtle.sign('HMAC', key, encoder.encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
}

export async function signedHeaders(
  credentials: ApiCredentials,
  request: RequestToSign,
): Promise<Record<string, string>> {
  return {
    'SVC-ACCESS-KEY': credentials.key,
    'SVC-ACCESS-SIGN': await signatureOf(credentials.secret, textToSign(request)),
    'SVC-ACCESS-TIMESTAMP': request.timestamp,
    'SVC-ACCESS-PASSPHRASE': credentials.passphrase,
  }
}
