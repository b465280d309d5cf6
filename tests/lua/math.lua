--- rounding
print(math.floor(1.5), math.floor(-1.5), math.ceil(1.5), math.ceil(-1.5), math.floor(3), math.ceil(-0.5), math.floor("2.7"))
print(math.abs(-5), math.abs(5), math.abs(-0.0), math.fmod(7, 3), math.fmod(-7, 3), math.fmod(7, -3), math.mod(7, 3), math.fmod(5.5, 2))
print(math.modf(3.7), math.modf(-3.7), math.modf(5), math.modf(1 / 0), math.modf(-1 / 0))
print(math.frexp(8), math.frexp(0), math.frexp(-0.3), math.ldexp(0.5, 4), math.ldexp(1, -2), math.frexp(1e-320), math.ldexp(1, 1030), math.ldexp(1, -1080))
print(math.max(1, 5, 3), math.min(1, 5, 3), math.max(1), math.min("2", 1), math.max(-1 / 0, 0))
--- powers and logarithms
print(math.sqrt(16), math.sqrt(2), math.pow(2, 10), math.pow(2, 0.5), 2 ^ 0.5, math.exp(0), math.exp(1), math.log(1), math.log(10), math.log10(1000), math.log10(2))
print(math.pow(-8, 1 / 3) ~= math.pow(-8, 1 / 3), (-2) ^ 2, (-2) ^ 3, 0 ^ 0, 10 ^ -2, 2 ^ 1023 * 2)
print(math.sqrt(-1) ~= math.sqrt(-1), math.log(0), math.log(-1) ~= math.log(-1), math.exp(1000), math.exp(-1000))
--- trigonometry
print(math.sin(0), math.cos(0), math.tan(0), math.sin(1), math.cos(1), math.tan(1))
print(math.asin(1), math.acos(1), math.atan(1), math.atan2(1, 1), math.atan2(-1, -1), math.atan2(0, -1))
print(math.sinh(1), math.cosh(1), math.tanh(1), math.deg(math.pi), math.rad(180), math.pi, math.deg(1), math.rad(1))
for i = -10, 10 do print(math.sin(i), math.cos(i), math.exp(i), math.atan(i), math.tanh(i)) end
--- constants and errors
print(math.huge, -math.huge, math.pi, math.huge == 1 / 0)
print(pcall(math.max), pcall(math.min), pcall(math.floor), pcall(math.abs, "x"), pcall(math.sqrt, {}), pcall(math.fmod, 1), pcall(math.ldexp, 1))
print(math.floor(2 ^ 53), math.floor(-2 ^ 53 - 0.5), math.ceil(1e300), math.floor(0 / 1))
--- random stays in range
math.randomseed(42)
local a, b = math.random(), math.random()
print(a >= 0 and a < 1, a ~= b)
for i = 1, 100 do local r = math.random(6) assert(r >= 1 and r <= 6 and r == math.floor(r)) end
for i = 1, 100 do local r = math.random(-3, 3) assert(r >= -3 and r <= 3 and r == math.floor(r)) end
math.randomseed(42)
print(math.random() == a, math.random() == b)
print(pcall(math.random, 0), pcall(math.random, 2, 1), pcall(math.random, 1, 2, 3), pcall(math.random, "x"), math.random(1), math.random(5, 5))
--- modulo
for a = -5, 5 do local r = {} for b = -3, 3 do r[#r + 1] = tostring(a % b) == "-nan" and "nan" or tostring(a % b) end print(table.concat(r, " ")) end
print(5.3 % 2, -5.3 % 2, 5.3 % -2, 1e15 % 7, 2 ^ 53 % 3, 0.1 % 0.01, 1 % 1e300, -1 % 1e300)
--- integer limits
print(2 ^ 31, 2 ^ 31 - 1, -2 ^ 31, 2 ^ 63, 2 ^ 64, 1e18, 123456789 * 987654321)
print(9007199254740993, 2 ^ 53 + 1, 0.1 + 0.2 == 0.3, 1 / 3 * 3 == 1, 1e16 + 1)
