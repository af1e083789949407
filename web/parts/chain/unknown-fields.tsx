import { Fact } from '../page/page-head.tsx'

/** Fields that the chain adds by rules of its own. They are shown as the node reports them. */
export function UnknownFields({ json }: { json: string }) {
  if (json === '') return null
  const fields = Object.entries(JSON.parse(json) as Record<string, unknown>)
  return (
    <Fact name="Fields of this chain">
      <dl class="unknown-fields" title="This explorer does not know the meaning of these fields.">
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="hash">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </Fact>
  )
}
