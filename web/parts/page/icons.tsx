// Icons as inline SVG, so that no page loads a font or a sprite. Each stands beside a word or a label, so it is hidden from screen
// readers.
const shapes = {
  search: 'M10.5 10.5 14 14M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0Z',
  copy: 'M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z',
  check: 'm3 8.5 3.5 3.5L13 5',
  cross: 'm4 4 8 8m0-8-8 8',
  clock: 'M8 4.5V8l2.5 1.5M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z',
  bolt: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8Zm8.5 0a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
  shield: 'M8 1.5 13 3.5v4c0 3-2 5.5-5 7-3-1.5-5-4-5-7v-4z',
  lock: 'M4 7V5a4 4 0 1 1 8 0v2M3 7h10v7H3z',
  drop: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM5 8h6',
  document: 'M4 1.5h5.5L12.5 5v9.5h-8.5zM9 2v3.5h3.5',
  arrow: 'M2.5 8h11m-4-4 4 4-4 4',
  left: 'M10 3 5 8l5 5',
  right: 'm6 3 5 5-5 5',
  download: 'M8 2v8m-3.5-3L8 10.5 11.5 7M3 13.5h10',
  pause: 'M5.5 3.5v9m5-9v9',
  play: 'M5 3.5v9L12.5 8z',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6Zm0-3.5v1m0 11v1M1.5 8h1m11 0h1M3.4 3.4l.7.7m7.8 7.8.7.7m0-9.2-.7.7m-7.8 7.8-.7.7',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5Z',
  screen: 'M2 3h12v8H2zm4 10.5h4',
} as const

export type IconName = keyof typeof shapes

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}
