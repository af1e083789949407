// Sources sent through the door that most tools use.

/** The guid; undefined where none was given out. */
export async function guidOf(base: string, form: Readonly<Record<string, string>>): Promise<string | undefined> {
  const body = new URLSearchParams({
    module: 'contract',
    action: 'verifysourcecode',
    compilerversion: 'v0.8.30+commit.73712a01',
    ...form,
  })
  const answer = await fetch(`${base}/api`, { method: 'POST', body }).catch(() => undefined)
  const { status, result } = ((await answer?.json().catch(() => undefined)) ?? {}) as {
    status?: string
    result?: string
  }
  return status === '1' ? result : undefined
}
