package standin;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A connection to a Redis, made by its first command: commands out, replies in (RESP2). */
public final class Wire {
    private final int port;
    private Socket socket;
    private InputStream in;

    public Wire(int port) {
        this.port = port;
    }

    /** A String, a Long, null, or a list of them. */
    public synchronized Object call(List<String> words) {
        try {
            if (socket == null) {
                socket = new Socket("127.0.0.1", port);
                in = new BufferedInputStream(socket.getInputStream());
            }
            var out = new ByteArrayOutputStream();
            out.writeBytes(("*" + words.size() + "\r\n").getBytes(StandardCharsets.UTF_8));
            for (String word : words) {
                byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
                out.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.UTF_8));
                out.writeBytes(bytes);
                out.writeBytes(new byte[] {'\r', '\n'});
            }
            socket.getOutputStream().write(out.toByteArray());
            return reply();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private Object reply() throws IOException {
        String line = line();
        String rest = line.substring(1);
        switch (line.charAt(0)) {
            case '+':
                return rest;
            case '-':
                throw new IllegalStateException(rest);
            case ':':
                return Long.valueOf(rest);
            case '$': {
                int length = Integer.parseInt(rest);
                if (length < 0) return null;
                byte[] bytes = in.readNBytes(length);
                in.readNBytes(2);
                return new String(bytes, StandardCharsets.UTF_8);
            }
            default: {
                int length = Integer.parseInt(rest);
                if (length < 0) return null;
                List<Object> all = new ArrayList<>();
                for (int at = 0; at < length; at++) all.add(reply());
                return all;
            }
        }
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\r'; next = in.read()) {
            if (next < 0) throw new IOException("the server is gone");
            line.append((char) next);
        }
        in.read();
        return line.toString();
    }
}
