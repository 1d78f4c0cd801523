import { testStories } from './model-stories.ts'

testStories(200)
