// Runs lenses for StackExchange.Redis. The argument is the port. A line of input is the name of a class
// and options, which no lens in C# reads; a line of output says how its method ended, in JSON.

using System;
using System.Linq;
using System.Reflection;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using StackExchange.Redis;

static class Run
{
    static void Main(string[] arguments)
    {
        IDatabase redis = ConnectionMultiplexer.Connect("127.0.0.1:" + arguments[0]).GetDatabase();
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            string ended;
            try
            {
                ended = "\"value\":" + Json(Ended(Type.GetType(line.Split(' ')[0]), redis).Result);
            }
            catch (AggregateException error)
            {
                ended = "\"error\":" + Json(error.InnerException.Message);
            }
            Console.WriteLine("{" + ended + "}");
        }
    }

    static async Task<object> Ended(Type lens, IDatabase redis)
    {
        var own = BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly;
        MethodInfo method = lens.GetMethods(own).Single();
        object made = Activator.CreateInstance(lens, redis);
        var task = (Task)method.Invoke(made, new object[0]);
        await task;
        bool answers = method.ReturnType.IsGenericType;
        return answers ? method.ReturnType.GetProperty("Result").GetValue(task) : null;
    }

    static string Json(object value)
    {
        if (value == null) return "null";
        if (value is bool || value is long) return value.ToString().ToLowerInvariant();
        string text = value.ToString();
        // SoldOut of an enum is "sold out".
        if (value is Enum) text = Regex.Replace(text, "(?<=.)([A-Z])", " $1").ToLowerInvariant();
        return "\"" + Regex.Replace(text, "[\"\\\\\\s]", " ") + "\"";
    }
}
