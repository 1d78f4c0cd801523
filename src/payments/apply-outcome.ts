export const declinedMax = 10
