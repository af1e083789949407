// The part of the compiler's package that we call: it is CommonJS and comes without types.
declare module 'solc' {
  const solc: { version(): string; compile(input: string): string }
  export = solc
}
