// One message as one WebSocket frame from a server (RFC 6455, section 5.2): never masked, so the same bytes go to everyone.
const FIN = 0x80
/** The payload is deflated (RFC 7692). */
const RSV1 = 0x40
const OPCODES = { text: 0x1, binary: 0x2 } as const

const LENGTH_IN_16_BITS = 126
const LENGTH_IN_64_BITS = 127
const SHORT_HEAD = 2
const MIDDLE_HEAD = 4
const LONG_HEAD = 10

export function webSocketFrame(
  payload: Uint8Array,
  { opcode, deflated = false }: { opcode: keyof typeof OPCODES; deflated?: boolean },
): Buffer {
  const headBytes = payload.length < LENGTH_IN_16_BITS ? SHORT_HEAD : payload.length < 2 ** 16 ? MIDDLE_HEAD : LONG_HEAD
  const frame = Buffer.allocUnsafeSlow(headBytes + payload.length)
  frame[0] = FIN | OPCODES[opcode] | (deflated ? RSV1 : 0)
  if (headBytes === SHORT_HEAD) frame[1] = payload.length
  else if (headBytes === MIDDLE_HEAD) {
    frame[1] = LENGTH_IN_16_BITS
    frame.writeUInt16BE(payload.length, 2)
  } else {
    frame[1] = LENGTH_IN_64_BITS
    frame.writeBigUInt64BE(BigInt(payload.length), 2)
  }
  frame.set(payload, headBytes)
  return frame
}

/** The payload inside a frame made above, not copied. */
export function payloadOf(frame: Buffer): Buffer {
  const length = frame[1]!
  return frame.subarray(
    length < LENGTH_IN_16_BITS ? SHORT_HEAD : length === LENGTH_IN_16_BITS ? MIDDLE_HEAD : LONG_HEAD,
  )
}
