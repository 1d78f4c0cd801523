import { strikeSavedCharges } from './saved-strikes.ts'

strikeSavedCharges(Number(process.env['LIVE_STRIKES'] ?? 1))
