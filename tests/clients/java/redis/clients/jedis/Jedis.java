package redis.clients.jedis;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;

/** A connection that sends raw commands (RESP2). A reply is a byte[], a Long, null or a list of them. */
public class Jedis {
    private final Socket socket;
    private final InputStream in;

    public Jedis(String host, int port) {
        try {
            socket = new Socket(host, port);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    public String flushAll() {
        return new String((byte[]) sendCommand(() -> "FLUSHALL".getBytes(StandardCharsets.UTF_8)));
    }

    public Object sendCommand(ProtocolCommand command, String... arguments) {
        try {
            var out = new ByteArrayOutputStream();
            out.writeBytes(("*" + (1 + arguments.length) + "\r\n").getBytes(StandardCharsets.UTF_8));
            put(out, command.getRaw());
            for (String argument : arguments) put(out, argument.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().write(out.toByteArray());
            return reply();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static void put(ByteArrayOutputStream out, byte[] bytes) {
        out.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.UTF_8));
        out.writeBytes(bytes);
        out.writeBytes(new byte[] {'\r', '\n'});
    }

    private Object reply() throws IOException {
        byte[] line = line();
        var rest = new String(line, 1, line.length - 1, StandardCharsets.UTF_8);
        switch (line[0]) {
            case '+':
                return rest.getBytes(StandardCharsets.UTF_8);
            case '-':
                throw new JedisDataException(rest);
            case ':':
                return Long.parseLong(rest);
            case '$':
                int length = Integer.parseInt(rest);
                if (length < 0) return null;
                byte[] bytes = in.readNBytes(length);
                in.skipNBytes(2);
                return bytes;
            case '*':
                int count = Integer.parseInt(rest);
                if (count < 0) return null;
                List<Object> items = new ArrayList<>();
                for (int at = 0; at < count; at++) items.add(reply());
                return items;
            default:
                throw new IOException("no reply: " + rest);
        }
    }

    private byte[] line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\r'; b = in.read()) {
            if (b < 0) throw new IOException("the server closed the connection");
            line.write(b);
        }
        in.skipNBytes(1);
        return line.toByteArray();
    }
}
