import { strikeSavedCharges } from './saved-strikes.ts'

// Each point once. The long form has all moods, and `LIVE_STRIKES=100` strikes each a hundred times.

strikeSavedCharges(1, ['cuts the line before it acts', 'cuts the line after it acted'])
