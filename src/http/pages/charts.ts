import { oneOf, type PageLoader } from './visit.ts'

const SPANS = ['minute', 'hour', 'day'] as const

export const chartsPage: PageLoader = async ({ answers, query }) => {
  const span = oneOf(SPANS, query.by)
  return { page: 'charts', data: { span, ...(await answers.activity(span)) } }
}

export const gasPage: PageLoader = async ({ answers }) => ({ page: 'gas', data: await answers.gasNow() })
