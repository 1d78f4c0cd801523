import { readStylesheet } from '../../platform/http/page.ts'

export const styles = [readStylesheet(new URL('./home.css', import.meta.url))]
