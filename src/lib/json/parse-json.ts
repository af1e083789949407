// JSON of strangers. Reading a value that is nested a million times takes seconds and hundreds of megabytes, so a long text is refused before
// that; a short one cannot be nested deeply enough to matter.

const MAX_DEPTH = 500
const SHORT_CHARS = 50_000

/** Throws a SyntaxError where the text is not JSON or is nested too deeply. */
export function parseJson(text: string): unknown {
  if (text.length > SHORT_CHARS && isTooDeep(text)) {
    throw new SyntaxError(`nested more than ${MAX_DEPTH} times`)
  }
  return JSON.parse(text)
}

function isTooDeep(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i)
        break
      case OPENING_BRACKET:
      case OPENING_BRACE:
        if (++depth > MAX_DEPTH) return true
        break
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth--
        break
    }
  }
  return false
}

/** The index of the quote that ends the string; the end of the text where none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
