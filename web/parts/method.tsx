import { methodWord } from './methods.ts'

export const Method = ({ of }: { of: { methodId: string; to: string } }) => (
  <span class="method" title={of.methodId === '' ? 'No call data' : of.methodId}>
    {methodWord(of)}
  </span>
)
