// Rules for the name and the passphrase of a new key: each check returns the problem, or undefined if there is none.
export const MAX_NAME_CHARS = 64
export const MIN_PASSPHRASE_CHARS = 8
export const MAX_PASSPHRASE_CHARS = 128

export function nameProblem(name: string): string | undefined {
  return name.trim() === '' || name.length > MAX_NAME_CHARS
    ? `a key needs a name of at most ${MAX_NAME_CHARS} characters`
    : undefined
}

export function passphraseProblem(passphrase: string): string | undefined {
  if (passphrase.length < MIN_PASSPHRASE_CHARS || passphrase.length > MAX_PASSPHRASE_CHARS) {
    return `the passphrase must have ${MIN_PASSPHRASE_CHARS} to ${MAX_PASSPHRASE_CHARS} characters`
  }
  // It is sent in a header.
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(passphrase)
    ? undefined
    : 'the passphrase must be printable ASCII, without blanks at its ends'
}
